/** Tells systemd when the service is ready, lives and stops. */
import { execFile } from 'node:child_process';
import type { Logger } from 'pino';
import type { ManagerWishes } from '../config/service-manager.ts';

export interface ServiceManager {
  ready(): void;
  stopping(): void;
  close(): void;
}

const NOTIFY_MS = 10_000;
const PER_INTERVAL = 3;

/**
 * Node.js has no datagram sockets of Unix, and packages that add them compile at install: so systemd's own program sends each
 * message. @param wishes `null` where no manager listens
 */
export function createServiceManager(
  wishes: ManagerWishes | null,
  log: Pick<Logger, 'warn'>,
  program = 'systemd-notify',
): ServiceManager {
  let living: NodeJS.Timeout | undefined;
  let isTold = false;

  function notify(...assignments: string[]): void {
    if (wishes === null) return;
    execFile(program, assignments, { timeout: NOTIFY_MS }, (error) => {
      if (error === null || isTold) return;
      isTold = true;
      log.warn(
        { err: error },
        'systemd could not be notified: the unit needs NotifyAccess=all and systemd-notify',
      );
    });
  }

  return {
    ready() {
      notify('READY=1', 'STATUS=answers signups');
      const { watchdogMs = null } = wishes ?? {};
      if (watchdogMs === null) return;
      // The event loop sends it: a service whose loop is stuck is silent.
      living = setInterval(() => notify('WATCHDOG=1'), watchdogMs / PER_INTERVAL).unref();
    },
    stopping() {
      clearInterval(living);
      notify('STOPPING=1', 'STATUS=answers what it accepted, and stops');
    },
    close: () => clearInterval(living),
  };
}
