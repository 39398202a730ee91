/** All commands, in the order in which the help shows them. */
import type { Command } from 'commander';
import { account } from './account.ts';
import { assess } from './assess.ts';
import { audit } from './audit.ts';
import { backup } from './backup.ts';
import { campaign } from './campaign.ts';
import { doctor } from './doctor.ts';
import { hook } from './hook.ts';
import { intel } from './intel.ts';
import { key } from './key.ts';
import { list } from './list.ts';
import { logLevel } from './log-level.ts';
import { migrate } from './migrate.ts';
import { mirror } from './mirror.ts';
import { openapi } from './openapi.ts';
import { policy } from './policy.ts';
import { privacy } from './privacy.ts';
import { recall } from './recall.ts';
import { restore } from './restore.ts';
import { scan } from './scan.ts';
import { secret } from './secret.ts';
import { start } from './start.ts';
import { token } from './token.ts';
import { user } from './user.ts';
import { webhook } from './webhook.ts';

export interface CommandOptions {
  /** See `ServiceOptions`; for tests. */
  readonly deletionGraceMs?: number;
}

export function allCommands({ deletionGraceMs }: CommandOptions = {}): Command[] {
  return [
    start(),
    account(deletionGraceMs),
    key(),
    hook(),
    webhook(),
    token(),
    list(),
    policy(),
    campaign(),
    recall(),
    intel(),
    user(),
    secret(),
    privacy(),
    audit(),
    assess(),
    mirror(),
    scan(),
    backup(),
    restore(),
    doctor(),
    logLevel(),
    migrate(),
    openapi(),
  ];
}
