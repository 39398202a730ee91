/** Says in the audit log who uses the command line: the name that the operating system has for the user, and the machine. */
import { hostname, userInfo } from 'node:os';
import type { AuditEntry } from '../store/dashboard-store.ts';

/** @param accountId `null`: of the whole installation, for its operators */
export function auditEntry(
  accountId: string | null,
  action: string,
  target: string,
  detail: string,
): AuditEntry {
  const by = `command line (${nameOfUser()}@${hostname()})`;
  return { at: Date.now(), by, accountId, action, target, detail };
}

/** In a container the user may have a number only. */
function nameOfUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? ''}`.trim();
  }
}
