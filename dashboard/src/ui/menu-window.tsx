/** The menu of a button, open from the start: it is loaded because somebody wants it. */
import { Menu } from '@mantine/core';
import { Fragment, type ReactElement, type ReactNode, useEffect, useRef, useState } from 'react';
import type { MenuButtonParts, MenuButtonProps } from './menu-button.tsx';

export interface MenuWindowProps {
  readonly width?: number | undefined;
  /** `Menu.Item`s and other parts of the library's menu. */
  readonly children: ReactNode;
  button(parts: MenuButtonParts): ReactElement;
}

export function MenuWindow({ width, children, button }: MenuWindowProps) {
  const target = useRef<HTMLButtonElement>(null);
  const [opened, setOpened] = useState(false);
  // The button is a new one. The menu gives the focus back to what has it at the moment of opening.
  useEffect(() => {
    target.current?.focus();
    setOpened(true);
  }, []);
  return (
    <Menu
      position="bottom-end"
      opened={opened}
      onChange={setOpened}
      withInitialFocusPlaceholder={false}
      {...(width === undefined ? {} : { width })}
    >
      <Menu.Target>{button({ ref: target })}</Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}

export function EntriesMenu({ entries, heading, width, button }: MenuButtonProps) {
  return (
    <MenuWindow width={width} button={button}>
      {heading !== undefined && <Menu.Label>{heading}</Menu.Label>}
      {entries.map(({ words, icon: Icon, danger = false, apart = false, onChoose }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: entries have nothing else, and keep their order
        <Fragment key={place}>
          {apart && <Menu.Divider />}
          <Menu.Item
            leftSection={Icon && <Icon size={15} />}
            {...(danger ? { color: 'red' } : {})}
            onClick={onChoose}
          >
            {words}
          </Menu.Item>
        </Fragment>
      ))}
    </MenuWindow>
  );
}
