/** The names of the states of a source, what they mean, and which need attention. */
import type { SourceState } from '../../../src/contract/dashboard-installation.ts';
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleOff,
  IconClockExclamation,
  IconCloudOff,
  IconPackage,
  IconPlayerPause,
} from '../ui/icons.ts';

export const SOURCE_STATES = {
  ok: {
    word: 'Fresh',
    icon: IconCircleCheck,
    ink: 'var(--gh-allow)',
    care: false,
    means: 'Fetched recently.',
  },
  stale: {
    word: 'Stale',
    icon: IconClockExclamation,
    ink: 'var(--gh-challenge)',
    care: true,
    means:
      'Not confirmed by its publisher for too long. It is still used, and signups show that it may be out of date.',
  },
  waiting: {
    word: 'Waits for you',
    icon: IconPlayerPause,
    ink: 'var(--gh-block)',
    care: true,
    means:
      'The newest version changes many verdicts. The version before it is used until an operator decides.',
  },
  refused: {
    word: 'Update rejected',
    icon: IconAlertTriangle,
    ink: 'var(--gh-block)',
    care: true,
    means: 'The newest version did not pass the checks. The last good one stays active.',
  },
  failed: {
    word: 'Failed',
    icon: IconCloudOff,
    ink: 'var(--gh-challenge)',
    care: true,
    means: 'The last fetch failed. The last good version stays active.',
  },
  never: {
    word: 'Not fetched',
    icon: IconCircleDashed,
    ink: 'var(--gh-dim)',
    care: false,
    means: 'Not fetched yet.',
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
