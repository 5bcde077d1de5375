-- Who sent it, or sent it again, by their id: their open invitations end with their being an owner. Null: of a version before, which is known by `invited_by`.
alter table invitation add column invited_by_id text;
update invitation set invited_by_id = person.id from person where person.email = invitation.invited_by;
create index invitation_by_inviter on invitation (invited_by_id) where accepted_at is null and revoked_at is null;
