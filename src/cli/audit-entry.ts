/** Names the user of the command line in the audit log: the user name of the operating system, and the machine. */
import { hostname, userInfo } from 'node:os';
import type { AuditEntry } from '../store/dashboard-store.ts';

/** @param accountId `null`: the entry concerns the whole installation, and operators read it */
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
