/** The port to follow stored signups: in about the order in which they were committed, by any process. */

export interface CommittedSignups<Signup> {
  /**
   * Reads the next, oldest first, as many as take a few milliseconds; none: there is nothing new for now. Signups that are
   * committed late may come after younger ones.
   * @returns `null` while another process follows
   * @throws when they cannot be read; the next call goes on where the last one ended
   */
  next(): Promise<readonly Signup[] | null>;
  close(): Promise<void>;
}
