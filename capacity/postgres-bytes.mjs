// Bytes that PostgreSQL stores per assessment, by table and by index.

/** @param database connected `pg` client of a database with about ten thousand assessments */
export async function measurePostgresBytes(database) {
  const { rows: counted } = await database.query('SELECT count(*)::int AS rows FROM assessments');
  const { rows } = await database.query(PARTS);
  const records = counted[0].rows;
  const parts = rows.map(({ kind, name, bytes }) => ({ kind, name, bytesPerRow: round(bytes / records) }));
  const of = (wanted) => parts.filter(({ kind }) => kind === wanted).map(({ kind, ...rest }) => rest);
  return {
    records,
    tables: of('table'),
    indexes: of('index'),
    bytesPerRow: round(parts.reduce((sum, { bytesPerRow }) => sum + bytesPerRow, 0)),
  };
}

/** Adds partitions and their indexes to their parents; a table includes everything that belongs to it except its indexes. */
const PARTS = `
  SELECT 'table' AS kind, parent.relname AS name, sum(pg_table_size(part.oid))::bigint AS bytes
  FROM pg_class AS parent JOIN pg_inherits ON inhparent = parent.oid JOIN pg_class AS part ON part.oid = inhrelid
  WHERE parent.relname = 'assessments' GROUP BY 2
  UNION ALL
  SELECT 'index', parent.relname, sum(pg_relation_size(part.oid))::bigint
  FROM pg_index JOIN pg_class AS parent ON parent.oid = indexrelid
    JOIN pg_class AS indexed ON indexed.oid = indrelid
    JOIN pg_inherits ON inhparent = parent.oid JOIN pg_class AS part ON part.oid = inhrelid
  WHERE indexed.relname = 'assessments' GROUP BY 2
  ORDER BY 1 DESC, 3 DESC`;

function round(value) {
  return Math.round(value * 10) / 10;
}
