/** The time for which what people did about an attack can be taken back. */
export const UNDO_MS = 30 * 86_400_000;
