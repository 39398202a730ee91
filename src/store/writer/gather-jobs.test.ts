import { expect, it } from 'vitest';
import { createGatherJobs } from './gather-jobs.ts';

/** Begins to gather with a job. `turn(n)` is a turn of the event loop that brings `n` more jobs. */
function begin() {
  let [waiting, handedOver] = [1, 0];
  let next: (() => void) | undefined;
  const gather = createGatherJobs({
    waiting: () => waiting,
    handOver() {
      handedOver += 1;
    },
    nextTurn(act) {
      next = act;
    },
  });
  gather();
  return {
    gather,
    turn(jobs: number): number {
      waiting += jobs;
      const act = next;
      next = undefined;
      act?.();
      return handedOver;
    },
    isOver: () => next === undefined,
  };
}

it('hands over after four turns that bring no more', () => {
  const { turn, isOver } = begin();
  expect([turn(0), turn(0), turn(0), turn(0)]).toEqual([0, 0, 0, 1]);
  expect(isOver()).toBe(true);
});

it('begins to count quiet turns again after each job', () => {
  const { turn } = begin();
  const turns = [0, 0, 0, 1, 0, 0, 2, 0, 0, 0, 0];
  expect(turns.map(turn)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
});

it('waits for no more than share the cost of a commit well', () => {
  const { turn, isOver } = begin();
  for (let jobs = 2; jobs < 128; jobs += 1) expect(turn(1)).toBe(0);
  expect(turn(1)).toBe(1);
  expect(isOver()).toBe(true);
});

it('hands over, too, when what waited was refused meanwhile', () => {
  const { turn } = begin();
  expect([turn(-1), turn(0), turn(0), turn(0)]).toEqual([0, 0, 0, 1]);
});

it('is begun once while it is under way, and again after it', () => {
  const { gather, turn } = begin();
  expect([turn(0), turn(0)]).toEqual([0, 0]);
  gather();
  expect([turn(0), turn(0), turn(0)]).toEqual([0, 1, 1]);
  gather();
  expect([turn(0), turn(0), turn(0), turn(0)]).toEqual([1, 1, 1, 2]);
});
