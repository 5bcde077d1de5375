-- The contract's word for the company that makes a video.
update operator_act set act = 'provider_closed' where act = 'maker_closed';
