/** Loads the files of pages: when they are first opened, or before that, when somebody is about to. */
import { type ComponentType, lazy } from 'react';
import type { Page } from '../pages.ts';

const FILES = import.meta.glob<Record<string, ComponentType>>('../pages/*-page.tsx');

export function lazyPage({ file }: Page): ComponentType {
  return lazy(async () => {
    const exported = await load(file);
    const component = Object.entries(exported ?? {}).find(([name]) => name.endsWith('Page'))?.[1];
    if (component === undefined) throw new Error(`pages/${file}.tsx exports no page.`);
    return { default: component };
  });
}

/** A failure is told when the page is opened. */
export function preloadPage({ file }: Page): void {
  load(file)?.catch(() => {});
}

function load(file: string): Promise<Record<string, ComponentType>> | undefined {
  return FILES[`../pages/${file}.tsx`]?.();
}
