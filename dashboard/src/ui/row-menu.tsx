/** The menu at the end of a table's row: what can be done with it. */
import { ActionIcon } from '@mantine/core';
import { IconDots } from './icons.ts';
import { MenuButton, type MenuButtonProps } from './menu-button.tsx';

export interface RowMenuProps extends Omit<MenuButtonProps, 'button'> {
  /** Name of the row's subject: `key Mobile app`. */
  readonly subject: string;
}

export function RowMenu({ subject, ...menu }: RowMenuProps) {
  return (
    <MenuButton
      {...menu}
      button={(parts) => (
        <ActionIcon variant="subtle" aria-label={`Actions for ${subject}`} {...parts}>
          <IconDots size={16} />
        </ActionIcon>
      )}
    />
  );
}
