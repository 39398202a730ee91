/** How many cases a property test tries: few in `npm test`, as many as `FC_RUNS` says in `npm run reliability`. */
export const PROPERTY_RUNS = Number(process.env.FC_RUNS ?? 200);
/** The same for cases that ask a server, each many times. */
export const SERVER_PROPERTY_RUNS = Number(process.env.FC_RUNS ?? 50);
