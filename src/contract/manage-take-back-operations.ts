/** The operations of the management API about taking back who got in. */
import type { ManageOperationRow } from './manage-operation.ts';
import {
  ManageConnectionList,
  ManageTakeBack,
  ManageTakeBackList,
  ManageTakeBackPreview,
  ManageTakeBackRequest,
} from './manage-take-back-messages.ts';

const JOBS = '/v1/manage/accounts/{account}/takebacks';
const JOB = `${JOBS}/{job}`;

export const TAKE_BACK_ROWS: readonly ManageOperationRow[] = [
  {
    id: 'listConnections',
    method: 'GET',
    path: `${JOBS}/connections`,
    scope: 'takebacks:read',
    summary: 'List connections to providers',
    description: 'Oldest first, a page at a time. Never their secrets.',
    response: ManageConnectionList,
  },
  {
    id: 'listTakeBacks',
    method: 'GET',
    path: JOBS,
    scope: 'takebacks:read',
    summary: 'List jobs that take accounts back',
    description: 'Newest first, a page at a time; kept for 30 days.',
    response: ManageTakeBackList,
  },
  {
    id: 'previewTakeBack',
    method: 'POST',
    path: `${JOBS}/preview`,
    scope: 'takebacks:write',
    summary: 'Say what a job would take back',
    description: 'Counts the accounts, and does nothing.',
    request: ManageTakeBackRequest,
    response: ManageTakeBackPreview,
  },
  {
    id: 'startTakeBack',
    method: 'POST',
    path: JOBS,
    scope: 'takebacks:write',
    summary: 'Take accounts back',
    description:
      'Starts a job that holds the accounts of those who were let in. A second job for the same signups finds their accounts held, and leaves them to the first.',
    request: ManageTakeBackRequest,
    response: ManageTakeBack,
    problems: ['conflict'],
  },
  {
    id: 'getTakeBack',
    method: 'GET',
    path: JOB,
    scope: 'takebacks:read',
    summary: 'Read a job',
    description: 'How far it is, and how it ended.',
    response: ManageTakeBack,
  },
  direct('cancel', 'Stop a job', 'Accounts that it has held stay held.'),
  direct('continue', 'Go on with a job', 'Goes on with one that was stopped, refused, or had failures.'),
  direct(
    'undo',
    'Undo a job',
    'Releases every account that it held and that nobody changed since, for 30 days.',
  ),
];

function direct(action: 'cancel' | 'continue' | 'undo', summary: string, effect: string): ManageOperationRow {
  return {
    id: `${action}TakeBack`,
    method: 'POST',
    path: `${JOB}/${action}`,
    scope: 'takebacks:write',
    summary,
    description: effect,
    response: ManageTakeBack,
    problems: ['conflict'],
  };
}
