// The measurements beside that of an assessment, by the names of `npm run bench -- NAME`.

/** `file`: from the root of the repository. */
export const BENCHES = {
  burst: {
    file: 'bench/burst.mjs',
    what: 'pages, simulations and exports while 1.2 million new assessments are indexed',
  },
  costs: { file: 'bench/costs.mjs', what: 'what an assessment costs each part: bench/costs.json' },
  crowds: { file: 'bench/crowds.mjs', what: 'who of innocent crowds and of farms is challenged and blocked' },
  'first-visit': {
    file: 'bench/first-visit.mjs',
    what: 'what a browser loads on its first visit of the dashboard, and when the heading is there',
  },
  history: { file: 'bench/history.mjs', what: 'searches in a history of a million assessments' },
  intel: {
    file: 'bench/intel.mjs',
    what: 'look-ups in the intelligence snapshot; recall and wrong accusations with files of your own',
  },
  'mail-hosts': {
    file: 'bench/mail-hosts.mjs',
    what: 'how many unlisted throw-away domains are recognised by their mail host, simulated',
  },
  memory: { file: 'bench/memory.mjs', what: 'memory of velocity when it is full' },
  names: { file: 'bench/names.mjs', what: 'what the shape of a local part costs' },
  overload: {
    file: 'bench/overload.mjs',
    what: 'answers in time at the highest rate that a node can keep up with, and at three times that rate',
  },
  proof: {
    file: 'bench/proof-of-work.mjs',
    what: 'how long a browser needs for the proof of work of a score, also as on a slow phone',
  },
  removals: { file: 'bench/removals.mjs', what: 'latency while a person or an account is removed' },
  replay: { file: 'bench/replay.mjs', what: 'a real minute compared with the model: bench/replay.json' },
  scale: {
    file: 'capacity/simulate.mjs',
    what: 'the tables of docs/scale.md and capacity/README.md, from costs and replay',
  },
  soak: {
    file: 'bench/soak.mjs',
    what: 'an hour at half load, with a feed that changes: flat memory, descriptors and latency',
  },
  storage: {
    file: 'bench/storage.mjs',
    what: 'CPU and bytes of storing an assessment in the embedded database, at some sizes of batches',
  },
  waves: { file: 'bench/waves.mjs', what: 'who of waves, innocent crowds and everyday people is stopped' },
};
