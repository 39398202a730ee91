/** A button with a menu, whose code is loaded when somebody is about to open it. */
import {
  type ComponentPropsWithoutRef,
  type ComponentType,
  lazy,
  type ReactElement,
  type ReactNode,
  type Ref,
  useState,
  useTransition,
} from 'react';
import type { IconProps } from './icons.ts';

const load = () => import('./menu-window.tsx');
const EntriesMenu = lazy(async () => ({ default: (await load()).EntriesMenu }));

export interface MenuEntry {
  readonly words: ReactNode;
  readonly icon?: ComponentType<IconProps>;
  /** It cannot be undone. */
  readonly danger?: boolean;
  /** A line separates it from the entries before. */
  readonly apart?: boolean;
  onChoose(): void;
}

/** Props that a menu gives its button. */
export type MenuButtonParts = Pick<
  ComponentPropsWithoutRef<'button'>,
  'aria-haspopup' | 'aria-expanded' | 'onClick' | 'onFocus' | 'onPointerEnter'
> & { readonly ref?: Ref<HTMLButtonElement> };

export interface MenuButtonProps {
  readonly entries: readonly MenuEntry[];
  /** Words above the entries. */
  readonly heading?: string;
  readonly width?: number;
  button(parts: MenuButtonParts): ReactElement;
}

export function MenuButton(props: MenuButtonProps) {
  const [wanted, want] = useWanted();
  if (wanted) return <EntriesMenu {...props} />;
  return props.button(closedParts(want, load));
}

/** Whether the menu was opened once. The button stays, with its focus, until the menu is loaded. */
export function useWanted(): [boolean, () => void] {
  const [wanted, setWanted] = useState(false);
  const [, startTransition] = useTransition();
  return [wanted, () => startTransition(() => setWanted(true))];
}

/** Props of a button whose menu may not be loaded yet. A failure to load is told when the menu is opened. */
export function closedParts(want: () => void, load: () => Promise<unknown>): MenuButtonParts {
  const preload = () => void load().catch(() => {});
  return {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onClick: want,
    onFocus: preload,
    onPointerEnter: preload,
  };
}
