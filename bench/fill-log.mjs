// Fills the embedded store's log with rows like those of real traffic, in SQL: common and rare domains, blocks, keys, countries.
const RARE = 25_000;
const AT_ONCE = 100_000;

/** `rows` assessments of an account, evenly over the time from `from` to `to` in milliseconds; the same ones at each run. */
export function fillLog(database, { account, key, rows, from: start, to: end }) {
  database.pragma('synchronous = OFF');
  const finding = '{"detector":"tor","code":"ip_anonymizer","weight":45,"detail":"The IP is an exit."}';
  const evidence = JSON.stringify({ snapshot: 'bench', email: { hits: 'x'.repeat(300) } });
  const numbers = 'WITH RECURSIVE n(i) AS (SELECT ? UNION ALL SELECT i + 1 FROM n WHERE i < ?)';
  // Pseudorandom numbers.
  const x = (salt) => `((i + ${salt * 1_013}) * 2654435761 % 4294967296)`;
  const h = (salt) => `(${x(salt)} % 65521 * (${x(salt)} / 65521 + ${salt * 7}) % 999983)`;
  const insertRows = database.prepare(`${numbers}
    INSERT INTO assessments SELECT i, printf('req_%012d', i), iif(${h(1)} % 10 = 0, 'acc_other', '${account}'),
      iif(${h(2)} % 50 = 0, 'key_b', '${key}'), iif(${h(3)} % 20 = 0, 'test', 'live'),
      ${start} + CAST(i * ${(end - start) / rows} AS INTEGER),
      CASE WHEN ${h(4)} % 100 < 85 THEN 'allow' WHEN ${h(4)} % 100 < 95 THEN 'challenge' ELSE 'block' END,
      CASE ${h(5)} % 100 WHEN 1 THEN 2 ELSE ${h(5)} % 100 END,
      iif(${h(6)} % 40 = 0, 'ip_anonymizer', ''),
      CASE WHEN i % ${RARE} = 0 THEN 'rare.example' WHEN ${h(7)} % 10 < 7 THEN 'd0.example'
        ELSE printf('d%d.example', ${h(8)} % 50000) END,
      printf('%016x', ${h(9)}), printf('%016x', ${h(10)}), 'j***@example.com', NULL,
      printf('10.%d.%d.%d', ${h(11)} % 4, ${h(12)} % 256, ${h(13)} % 256),
      printf('10.%d.%d.%d', ${h(11)} % 4, ${h(12)} % 256, ${h(13)} % 256),
      CASE WHEN ${h(14)} % 3000 = 0 THEN 'IS' ELSE 'FR' END, 64500 + ${h(15)} % 2000, 'session ' || i, 0 FROM n`);
  const insertDocuments = database.prepare(`${numbers}
    INSERT INTO assessment_documents SELECT i,
      '{"request_id":"' || printf('req_%012d', i) || '","filler":"${'x'.repeat(250)}","processed_ms":' || (${h(16)} % 90) || '}',
      '{"policy":"bench","findings":[' || iif(${h(6)} % 40 = 0, '${finding}', '') || '],"evidence":${evidence}}' FROM n`);
  const insertFeedback = database.prepare(`INSERT INTO feedback
    SELECT request_id, iif(seq % 3 = 0, 'false_negative', 'false_positive'), NULL, key_id, at + 5000, account_id, at, seq
    FROM assessments WHERE seq BETWEEN ? AND ? AND seq % 499 = 0`);
  for (let from = 1; from <= rows; from += AT_ONCE) {
    const to = Math.min(from + AT_ONCE - 1, rows);
    database.exec('BEGIN IMMEDIATE');
    insertRows.run(from, to);
    insertDocuments.run(from, to);
    insertFeedback.run(from, to);
    database.exec('COMMIT');
  }
}
