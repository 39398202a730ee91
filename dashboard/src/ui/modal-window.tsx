/** The library's modal window, in a file of its own. */
export { Modal as ModalWindow } from '@mantine/core';
