/** The pages the navigation leads to: words, icon, shortcut, who sees them, and what of the top bar they heed. */
import {
  IconActivity,
  IconAdjustmentsHorizontal,
  IconBuilding,
  IconDatabase,
  IconFlask,
  IconGauge,
  IconHistory,
  IconKey,
  IconLayoutDashboard,
  IconListCheck,
  IconMessageReport,
  IconUsers,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';

export type Audience = 'everyone' | 'owner' | 'operator';

export interface Destination {
  readonly id: string;
  readonly words: string;
  readonly icon: ComponentType<{ size?: number; stroke?: number }>;
  /** `g`, then this. */
  readonly letter: string;
  readonly audience: Audience;
  /** Below `/accounts/:account/`, or from the root. */
  readonly of: 'account' | 'installation';
  readonly path: string;
  readonly heeds: readonly ('mode' | 'period')[];
}

export const DESTINATIONS: readonly (readonly Destination[])[] = [
  [
    account('overview', 'Overview', IconLayoutDashboard, 'o', ['mode', 'period']),
    account('assessments', 'Assessments', IconActivity, 'a', ['mode']),
    account('feedback', 'Feedback', IconMessageReport, 'f', ['mode', 'period']),
    account('try', 'Try it', IconFlask, 'y', ['mode']),
  ],
  [
    account('thresholds', 'Thresholds', IconAdjustmentsHorizontal, 't', ['mode', 'period']),
    account('lists', 'Lists', IconListCheck, 'l', []),
    { ...account('keys', 'Keys', IconKey, 'k', []), audience: 'owner' },
    account('usage', 'Usage and plan', IconGauge, 'u', []),
  ],
  [
    { ...account('people', 'People', IconUsers, 'p', []), audience: 'owner' },
    { ...account('audit', 'Audit log', IconHistory, 'h', []), audience: 'owner' },
  ],
  [
    installation('intelligence', 'Intelligence', IconDatabase, 'i'),
    { ...installation('operator', 'Accounts', IconBuilding, 'c'), audience: 'operator' },
  ],
];

function account(
  path: string,
  words: string,
  icon: Destination['icon'],
  letter: string,
  heeds: Destination['heeds'],
): Destination {
  return { id: path, words, icon, letter, audience: 'everyone', of: 'account', path, heeds };
}

function installation(path: string, words: string, icon: Destination['icon'], letter: string): Destination {
  return { id: path, words, icon, letter, audience: 'everyone', of: 'installation', path, heeds: [] };
}
