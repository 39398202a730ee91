import { describe, expect, it } from 'vitest';
import { showMigrationProgress } from './migrate.ts';

function begin(isTTY: boolean) {
  let [text, now] = ['', 0];
  const screen = {
    isTTY,
    write(line: string | Uint8Array) {
      text += line;
      return true;
    },
  };
  const shown = showMigrationProgress(screen, () => now);
  return {
    shown,
    text: () => text,
    copy(at: number, done: number) {
      now = at;
      shown.show({ stage: 'copied', table: 'assessments', done, total: 200_000 });
    },
  };
}

describe('the progress of a migration', () => {
  it('is a line every five seconds in a log, with share, rate and time left', () => {
    const { copy, text, shown } = begin(false);
    for (let second = 0; second <= 12; second += 1) copy(1_000 * second, 10_000 * second);
    shown.end();
    expect(text()).toBe(
      [
        'assessments: 50,000 of 200,000 rows copied (25%), 10,000/s, 15 s left\n',
        'assessments: 100,000 of 200,000 rows copied (50%), 10,000/s, 10 s left\n',
      ].join(''),
    );
  });

  it('is one changing line on a terminal, which is removed at the end', () => {
    const { copy, text, shown } = begin(true);
    for (const at of [0, 100, 300, 600]) copy(at, at * 10);
    shown.end();
    shown.end();
    const lines = text().split('\r\u001b[K');
    expect(lines).toEqual(['', expect.stringContaining('3,000 of'), expect.stringContaining('6,000 of'), '']);
    expect(text()).not.toContain('\n');
  });
});
