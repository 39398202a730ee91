/** Reads what a service manager expects of a service: whether it wants to be told when it is ready, and how often that it lives. */

export interface ManagerWishes {
  /** Max. silence after which it kills the service, milliseconds; `null`: it does not watch. */
  readonly watchdogMs: number | null;
}

/** @returns `null` where no manager listens, as in a container or on a terminal */
export function readManagerWishes(environment: NodeJS.ProcessEnv = process.env): ManagerWishes | null {
  const {
    NOTIFY_SOCKET: socket = '',
    WATCHDOG_USEC: microseconds = '',
    WATCHDOG_PID: pid = '',
  } = environment;
  if (socket === '') return null;
  const isOurs = pid === '' || pid === String(process.pid);
  const watchdogMs = isOurs && /^[1-9]\d*$/.test(microseconds) ? Number(microseconds) / 1_000 : null;
  return { watchdogMs };
}
