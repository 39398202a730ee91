-- Finds signups by a property: a summary of every few pages says which values they may have. Pages that are not summarized
-- yet are always read, so nothing is missed, and an assessment pays next to nothing: it is cheaper to look through some pages
-- when somebody asks than to put each signup into five indexes. A value stands in a summary as a hash with its account's, so
-- no account searches the pages of another one's signups. Of a network the last digits are left out: then an IPv4 address
-- stands for its /24, which people search for, too.
CREATE INDEX assessments_by_block ON assessments USING brin (
  at int8_minmax_ops,
  hashtextextended(email_domain, hashtextextended(account_id, 0))
    int8_bloom_ops (n_distinct_per_range = 400, false_positive_rate = 0.002),
  hashtextextended(rtrim(network, '0123456789'), hashtextextended(account_id, 0))
    int8_bloom_ops (n_distinct_per_range = 400, false_positive_rate = 0.002),
  hashtextextended(mailbox_hash, hashtextextended(account_id, 0))
    int8_bloom_ops (n_distinct_per_range = 400, false_positive_rate = 0.002),
  hashtextextended(session_id, hashtextextended(account_id, 0))
    int8_bloom_ops (n_distinct_per_range = 400, false_positive_rate = 0.002),
  hashint8extended(asn, hashtextextended(account_id, 0))
    int8_bloom_ops (n_distinct_per_range = 400, false_positive_rate = 0.002)
) WITH (pages_per_range = 32);
DROP INDEX assessments_by_domain, assessments_by_network, assessments_by_mailbox, assessments_by_session, assessments_by_asn;
