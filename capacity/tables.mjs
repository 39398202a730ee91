// The tables of docs/scale.md: each is a section between two marks, made only from costs and simulated volumes.

const PARTS = {
  'redis-memory': 'memory of one Redis',
  'redis-memory-whole': 'memory of one Redis, if every account kept its 24 h whole',
  'redis-core': 'the one thread of one Redis',
  'postgres-cores': 'cores of one PostgreSQL',
  'postgres-wal': 'log (WAL) of one PostgreSQL',
  'postgres-pages': 'pages that one PostgreSQL writes',
  'postgres-disk': 'disk of one PostgreSQL, a month kept',
  'postgres-credits': 'locks on credits of one PostgreSQL',
  'account-redis-core': 'the largest account: the thread of its Redis shard',
  'account-redis-memory': 'the largest account: memory of its Redis shard, its 24 h kept whole',
  'account-bound': 'the largest account: attempts of 24 h it may hold; beyond, its counts are `partial`',
};

export function inputTable({ node, redis, postgres, wire, measured }) {
  const { kinds, account } = redis.bytes;
  const rows = [
    ['node, an assessment, and a batch', pair(node)],
    ['node, a request that a rate limit refuses', microseconds(node.refusedMicroseconds)],
    ['PostgreSQL, an assessment, and a batch', pair(postgres)],
    ['Redis, an assessment, and what it costs more without company', pair(redis)],
    ['Redis, a refused request', microseconds(redis.refusedMicroseconds)],
    [
      'node; PostgreSQL with one; Redis: at rest, of a core',
      [node, postgres, redis].map(({ restCores }) => percent(restCores)).join('; '),
    ],
    ['PostgreSQL, log an assessment, page images aside', bytes(postgres.walBytesPerRow)],
    ['PostgreSQL, kept of an assessment', bytes(postgres.bytesPerRow)],
    ...[...postgres.tables, ...postgres.indexes].map(({ name, bytesPerRow }) => [
      `– \`${name}\``,
      bytes(bytesPerRow),
    ]),
    ['PostgreSQL, one flush of the log', `${postgres.flushMilliseconds.toFixed(2)} ms`],
    ['PostgreSQL, connections of a node', postgres.connections],
    ['Redis, an active account', bytes(account)],
    ['Redis, a mailbox with its first attempt', bytes(kinds.mailbox.key)],
    ['Redis, a further address of a mailbox', bytes(kinds.mailbox.packed)],
    ['Redis, a further attempt of an address', bytes(kinds.address.packed)],
    ['Redis, an active network (IP or /64)', bytes(kinds.network.key)],
    [
      'Redis, a further attempt of it (up to 128, above)',
      `${bytes(kinds.network.packed)}, ${bytes(kinds.network.spread)}`,
    ],
    ['Redis, an active domain', bytes(kinds.domain.key)],
    [
      'Redis, a further address of it (up to 128, above)',
      `${bytes(kinds.domain.packed)}, ${bytes(kinds.domain.spread)}`,
    ],
    [
      'wire, a request; to Redis; from Redis',
      `${bytes(wire.requestBytes)}, ${bytes(redis.bytesIn)}, ${bytes(redis.bytesOut)}`,
    ],
  ];
  const where = `Measured ${measured.at} UTC on ${measured.cores} × ${measured.cpu}, Node ${measured.node}, PostgreSQL ${measured.postgres}, Redis ${measured.redis}; load of the machine before: ${measured.loadBefore}.`;
  return `${where}\n\n${table(['Of', 'Cost'], rows)}`;
}

export function volumeTable(sized) {
  return table(
    ['', ...sized.map(({ volume }) => `${amount(volume.perDay)}/day`)],
    [
      ['attempts/s, mean', ...sized.map(({ volume }) => amount(volume.mean))],
      ['attempts/s, busiest minute', ...sized.map(({ volume }) => amount(volume.peak))],
      ['refused/s in that minute', ...sized.map(({ volume }) => amount(volume.refused))],
      ['nodes: cores busy, full batches', ...sized.map(({ volume }) => volume.nodeCores.toFixed(1))],
      [
        'PostgreSQL: cores busy, a batch each',
        ...sized.map(({ volume }) => volume.postgresCoresSingly.toFixed(1)),
      ],
      ['PostgreSQL: cores busy, full batches', ...sized.map(({ volume }) => volume.postgresCores.toFixed(1))],
      ['PostgreSQL: log, MB/s', ...sized.map(({ volume }) => amount(volume.walMegabytes))],
      ['PostgreSQL: pages written/s', ...sized.map(({ volume }) => amount(volume.pagesWritten))],
      ['PostgreSQL: indexes of a month', ...sized.map(({ volume }) => gigabytes(volume.indexGigabytes))],
      ['PostgreSQL: disk a month', ...sized.map(({ volume }) => gigabytes(volume.diskGigabytes))],
      ['Redis: cores busy', ...sized.map(({ volume }) => volume.redisCores.toFixed(2))],
      ['Redis: mailboxes', ...sized.map(({ volume }) => amount(volume.keys.mailboxes))],
      ['Redis: networks', ...sized.map(({ volume }) => amount(volume.keys.networks))],
      ['Redis: domains', ...sized.map(({ volume }) => amount(volume.keys.domains))],
      ['Redis: memory, as built', ...sized.map(({ volume }) => gigabytes(volume.redisGigabytes))],
      [
        'Redis: memory, 24 h of all whole',
        ...sized.map(({ volume }) => gigabytes(volume.redisWholeGigabytes)),
      ],
    ],
  );
}

export function limitTable({ parts }) {
  return table(
    ['Ends at', 'What'],
    parts.map(({ name, perDay }) => [`${amount(perDay)}/day`, PARTS[name]]),
  );
}

export function creditsTable({ credits }) {
  return table(
    ['Order of work', 'One PostgreSQL takes', 'That is'],
    credits.map(({ name, perSecond, perDay }) => [
      name,
      `${perSecond > 150_000 ? 'more than ' : ''}${amount(perSecond)}/s`,
      `${amount(perDay)}/day`,
    ]),
  );
}

export function engineTable(sized) {
  return table(
    ['', ...sized.map(({ volume }) => `${amount(volume.perDay)}/day`)],
    [
      ['nodes', ...sized.map(({ size }) => size.nodes)],
      ['busiest node', ...sized.map(({ size }) => percent(size.played.node))],
      ['busiest Redis thread', ...sized.map(({ size }) => percent(size.played.redis))],
      ['busiest PostgreSQL, of its cores', ...sized.map(({ size }) => percent(size.played.postgres))],
      ['connections to each PostgreSQL', ...sized.map(({ size }) => amount(size.connections))],
      ['Redis shards', ...sized.map(({ size }) => size.redisShards)],
      ['share of the busiest shard', ...sized.map(({ size }) => percent(size.largestRedis))],
      ['PostgreSQL servers', ...sized.map(({ size }) => size.databases)],
      ['share of the busiest server', ...sized.map(({ size }) => percent(size.largestDatabase))],
      ['rows a batch', ...sized.map(({ size }) => size.played.batch.toFixed(1))],
      ['wait for credits a batch, ms', ...sized.map(({ size }) => size.played.lockWait.toFixed(2))],
      ['answered within 2 s', ...sized.map(({ size }) => percent(size.played.answered))],
      ['p50, ms', ...sized.map(({ size }) => size.played.p50.toFixed(1))],
      ['p99, ms', ...sized.map(({ size }) => size.played.p99.toFixed(1))],
    ],
  );
}

export function hotTable(sized) {
  return table(
    ['', ...sized.map(({ volume }) => `${amount(volume.perDay)}/day`)],
    [
      ['its attempts a day', ...sized.map(({ volume }) => amount(volume.hottest.attempts))],
      ['its attempts/s, busiest minute', ...sized.map(({ volume }) => amount(volume.hottest.perSecond))],
      ['core of its Redis shard', ...sized.map(({ volume }) => percent(volume.hottest.redisCores))],
      ['its counts, if whole', ...sized.map(({ volume }) => gigabytes(volume.hottest.redisGigabytes))],
      ['addresses of its hottest domain', ...sized.map(({ volume }) => amount(volume.hottest.domainEntries))],
      ['that one key, if whole', ...sized.map(({ volume }) => gigabytes(volume.hottest.domainGigabytes))],
    ],
  );
}

export function operatorTable(volumes) {
  return table(
    ['', ...volumes.map(({ perDay }) => `${amount(30 * perDay)}/month`)],
    [
      ['attempts/s, busiest minute', ...volumes.map(({ peak }) => peak.toFixed(1))],
      ['nodes: cores busy', ...volumes.map(({ nodeCoresSingly }) => nodeCoresSingly.toFixed(3))],
      ['PostgreSQL: cores busy', ...volumes.map(({ postgresCoresSingly }) => postgresCoresSingly.toFixed(3))],
      ['PostgreSQL: disk a month', ...volumes.map(({ diskGigabytes }) => gigabytes(diskGigabytes))],
      ['PostgreSQL: log, MB/s', ...volumes.map(({ walMegabytes }) => walMegabytes.toFixed(2))],
      ['Redis: memory', ...volumes.map(({ redisGigabytes }) => gigabytes(redisGigabytes))],
    ],
  );
}

export function table(head, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map((_, at) => (at === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n');
}

/** Three significant digits. */
export function amount(value) {
  const [unit, by] = [
    [' G', 1e9],
    [' M', 1e6],
    [' k', 1e4],
  ].find(([, min]) => value >= min) ?? ['', 1];
  const shown = value / (by === 1e4 ? 1e3 : by);
  return `${shown < 100 && unit !== '' ? Number(shown.toPrecision(3)) : Math.round(shown)}${unit}`;
}

function pair({ microseconds: alone, batchMicroseconds }) {
  return `${microseconds(alone)} + ${microseconds(batchMicroseconds)}`;
}

function microseconds(value) {
  return `${value.toFixed(0)} µs`;
}

function bytes(value) {
  return `${value.toFixed(0)} B`;
}

function gigabytes(value) {
  if (value >= 1_000) return `${(value / 1_000).toPrecision(3)} TB`;
  return value >= 1 ? `${value.toPrecision(3)} GB` : `${(value * 1_000).toFixed(0)} MB`;
}

function percent(share) {
  return `${(share * 100).toFixed(1)}%`;
}
