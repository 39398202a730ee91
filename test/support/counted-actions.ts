/** Counts what a person does in a browser: a click, a chord of keys, a paste, or one field filled. */
import type { Locator } from 'playwright-core';
import type { Window } from './real-browser.ts';

export interface CountedActions {
  readonly count: number;
  click(target: Locator): Promise<void>;
  /** A key, a chord such as `Control+k`, or keys one after the other that are one shortcut. */
  press(...keys: readonly string[]): Promise<void>;
  fill(field: Locator, text: string): Promise<void>;
  choose(field: Locator, option: string): Promise<void>;
  /** Pastes where the focus is. */
  paste(text: string): Promise<void>;
}

export function countActions({ page }: Window): CountedActions {
  let count = 0;
  const act = async (action: () => Promise<unknown>) => {
    count += 1;
    await action();
  };
  return {
    get count() {
      return count;
    },
    click: (target) => act(() => target.click()),
    press: (...keys) =>
      act(async () => {
        for (const key of keys) await page.keyboard.press(key);
      }),
    fill: (field, text) => act(() => field.fill(text)),
    choose: (field, option) => act(() => field.selectOption(option)),
    async paste(text) {
      await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
      await act(() => page.keyboard.press('ControlOrMeta+v'));
    },
  };
}
