/** The menu at the end of a table's row: what can be done with it. */
import { ActionIcon, Menu, type MenuProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { IconDots } from './icons.ts';

export interface RowMenuProps extends Pick<MenuProps, 'width' | 'withInitialFocusPlaceholder'> {
  /** Name of the row's subject: `key Mobile app`. */
  readonly subject: string;
  /** `Menu.Item`s. */
  readonly children: ReactNode;
}

export function RowMenu({ subject, children, ...menu }: RowMenuProps) {
  return (
    <Menu position="bottom-end" {...menu}>
      <Menu.Target>
        <ActionIcon variant="subtle" aria-label={`Actions for ${subject}`}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}
