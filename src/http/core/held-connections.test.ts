import { expect, it } from 'vitest';
import { createHeldConnections, HOLD_MS } from './held-connections.ts';

function createScene() {
  const scene = { now: 0, due: [] as (() => void)[], released: [] as string[] };
  const places = createHeldConnections({
    clock: () => scene.now,
    later: (act) => void scene.due.push(act),
  });
  const connection = (name: string) => ({ release: () => void scene.released.push(name) });
  const pass = (milliseconds: number) => {
    scene.now += milliseconds;
    for (const act of scene.due.splice(0)) act();
  };
  return { ...places, scene, connection, pass };
}

it('reads on when nothing has been refused for a moment, the longest waiting first', () => {
  const { hold, scene, connection, pass } = createScene();
  hold(connection('first'));
  hold(connection('second'));
  pass(50);
  expect(scene.released).toEqual([]);
  pass(50);
  expect(scene.released).toEqual(['first', 'second']);
  expect(scene.due).toEqual([]);
});

it('reads on after a second, however many others are refused meanwhile', () => {
  const { hold, scene, connection, pass } = createScene();
  hold(connection('first'));
  for (let passed = 0; passed < HOLD_MS; passed += 50) {
    expect(scene.released).toEqual([]);
    hold(connection(passed === 0 ? 'refused with it' : 'another'));
    pass(50);
  }
  expect(scene.released).toEqual(['first', 'refused with it']);
});

it('holds a connection again if it is refused again', () => {
  const { hold, scene, pass } = createScene();
  const stubborn = {
    release() {
      scene.released.push('again');
      hold(stubborn);
    },
  };
  hold(stubborn);
  for (let times = 0; times < 5; times += 1) pass(50);
  expect(scene.released).toEqual(['again', 'again']);
});

it('never reads a closed connection', () => {
  const { hold, drop, scene, connection, pass } = createScene();
  const closed = connection('closed');
  hold(closed);
  drop(closed);
  pass(50);
  pass(50);
  expect(scene.released).toEqual([]);
});
