/** What the states of a source are called, what they mean, and whether they ask for care. */
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleOff,
  IconClockExclamation,
  IconCloudOff,
  IconPackage,
} from '@tabler/icons-react';
import type { SourceState } from '../../../src/contract/dashboard-installation.ts';

export const SOURCE_STATES = {
  ok: { word: 'Fresh', icon: IconCircleCheck, ink: 'var(--gh-allow)', care: false, means: 'Fetched lately.' },
  stale: {
    word: 'Stale',
    icon: IconClockExclamation,
    ink: 'var(--gh-challenge)',
    care: true,
    means:
      'Not confirmed by its publisher for too long; what it says weighs as before, and answers tell its age.',
  },
  refused: {
    word: 'Update rejected',
    icon: IconAlertTriangle,
    ink: 'var(--gh-block)',
    care: true,
    means: 'The newest version did not pass the checks; the last good one stays active.',
  },
  failed: {
    word: 'Failed',
    icon: IconCloudOff,
    ink: 'var(--gh-challenge)',
    care: true,
    means: 'The last fetch brought nothing; the last good version stays active.',
  },
  never: {
    word: 'Not fetched',
    icon: IconCircleDashed,
    ink: 'var(--gh-dim)',
    care: false,
    means: 'Nothing was fetched yet.',
  },
  off: { word: 'Off', icon: IconCircleOff, ink: 'var(--gh-faint)', care: false, means: 'Switched off.' },
  bundled: {
    word: 'Bundled',
    icon: IconPackage,
    ink: 'var(--gh-dim)',
    care: false,
    means: 'Comes with this release of Gatehouse and changes with the next.',
  },
} as const satisfies Record<SourceState, unknown>;
