-- Where such mails end with one click (RFC 8058); null for those that nobody chose.
alter table mail add column stop_url text;
