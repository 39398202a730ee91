/** Decides how tasks lie in their table until the one that leads their folder has answered them. */
import type pg from 'pg';
import { removeAll } from './files.ts';

export interface SharedTask {
  readonly id: number;
  readonly text: string;
  /** Where the files lie that came with it. */
  readonly folder: string;
}

export const CHANNEL = 'gatehouse_shared';
export const NOTIFY = `NOTIFY ${CHANNEL}`;

const ASK = 'INSERT INTO shared_tasks (folder, task, asked_at) VALUES ($1, $2, $3) RETURNING id';
const TAKE = `UPDATE shared_tasks SET taken = true
  WHERE id = (SELECT min(id) FROM shared_tasks WHERE folder = $1 AND NOT taken)
  RETURNING id, task AS text`;
const ANSWER = 'UPDATE shared_tasks SET answer = $2 WHERE id = $1';
const ABANDON = 'UPDATE shared_tasks SET answer = $2 WHERE folder = $1 AND taken AND answer IS NULL';
const PROGRESS = 'SELECT taken, answer FROM shared_tasks WHERE id = $1';
const WITHDRAW = 'DELETE FROM shared_tasks WHERE id = $1 AND NOT taken RETURNING id';

export function folderOfTask(id: number): string {
  return `task:${id}`;
}

export async function addTask(client: pg.Client, folder: string, text: string, now: number): Promise<number> {
  const { rows } = await client.query<{ id: number }>(ASK, [folder, text, now]);
  return (rows[0] as { id: number }).id;
}

export async function takeTask(client: pg.Client, folder: string): Promise<SharedTask | undefined> {
  const { rows } = await client.query<{ id: number; text: string }>(TAKE, [folder]);
  return rows[0] && { ...rows[0], folder: folderOfTask(rows[0].id) };
}

export async function answerTask(client: pg.Client, id: number, answer: string): Promise<void> {
  await client.query(ANSWER, [id, answer]);
  await removeAll(client, folderOfTask(id));
}

/** Answers what an earlier leader took and did not live to answer. */
export async function answerAbandoned(client: pg.Client, folder: string, answer: string): Promise<void> {
  await client.query(ABANDON, [folder, answer]);
}

export async function progressOf(client: pg.Client, id: number) {
  const { rows } = await client.query<{ taken: boolean; answer: string | null }>(PROGRESS, [id]);
  return rows[0];
}

/** False when it was taken already. */
export async function withdrawTask(client: pg.Client, id: number): Promise<boolean> {
  const { rowCount } = await client.query(WITHDRAW, [id]);
  if (rowCount === 0) return false;
  await removeAll(client, folderOfTask(id));
  return true;
}
