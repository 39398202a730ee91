import { describe, expect, it } from 'vitest';
import { Problem } from '../contract/problem.ts';
import { failureLine } from './output.ts';

describe('the error line of a command', () => {
  it('says what to do about a lock', () => {
    const remedy = 'another program has locked it (a backup, sqlite3): end that program, then run this again';
    for (const fault of [
      'the database data/gatehouse.db failed',
      'cannot use the database data/gatehouse.db',
    ])
      expect(failureLine(new Error(`${fault}: database is locked`))).toBe(
        `${fault}: database is locked; ${remedy}`,
      );
  });

  it('does not mention signups when the disk is full', () => {
    const line = failureLine(new Problem('storage_full'));
    expect(line).toMatch(/^the disk is full, and nothing was changed: free space .*, then run this again$/);
    expect(line).not.toMatch(/charged|signing in/);
  });

  it('is one line, with the parameter and resolution of a problem', () => {
    expect(failureLine(new Error('error: this\n  and that'))).toBe('this and that');
    const problem = new Problem('invalid_email', 'email', {
      message: 'It is none.',
      resolution: 'Give one.',
    });
    expect(failureLine(problem)).toBe('email: It is none. Give one.');
  });
});
