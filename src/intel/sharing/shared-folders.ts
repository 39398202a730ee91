/** The port to what the nodes of an installation share of intelligence: folders of files, and tasks for the one node that leads. */

export interface SharedFile {
  /** Path within the folder, with `/` between its parts. */
  readonly name: string;
  /** SHA-256 of its bytes, hexadecimal. */
  readonly hash: string;
  readonly size: number;
}

export interface Listing {
  /** Grows with every change; 0: nobody has written there yet. */
  readonly revision: number;
  readonly files: readonly SharedFile[];
}

export interface ChangedFile extends SharedFile {
  read(): Promise<Uint8Array>;
}

/** What a node that does not lead asks of the one that does; both texts are the askers' own affair. */
export interface SharedTask {
  readonly id: number;
  readonly text: string;
  /** Where the files lie that came with it. */
  readonly folder: string;
}

/** Everything here @throws when the store cannot be reached. */
export interface SharedFolders {
  /**
   * Takes the lead of a folder; `undefined` while another has it.
   * @param abandoned answer to tasks that an earlier leader took and did not live to answer
   */
  lead(folder: string, abandoned: string): Promise<Leadership | undefined>;
  /** As in the listing, cheaper. */
  revision(folder: string): Promise<number>;
  list(folder: string): Promise<Listing>;
  /** `undefined` when it was replaced since it was listed. */
  read(folder: string, file: SharedFile): Promise<Uint8Array | undefined>;
  /** The folder that was written last, beside this one. */
  newestBeside(folder: string): Promise<string | undefined>;
  /** Leaves a task for whoever leads; returns its id. */
  ask(folder: string, text: string, files: ReadonlyMap<string, Uint8Array>, now: number): Promise<number>;
  /** How far a task is. `undefined`: there is none. */
  progress(id: number): Promise<{ readonly taken: boolean; readonly answer: string | null } | undefined>;
  /** Takes a task back; false when it was taken already. */
  withdraw(id: number): Promise<boolean>;
  /** Tells soon after a folder or a task changed; may miss one: revisions and tasks are what counts. */
  onHint(listener: () => void): void;
  close(): Promise<void>;
}

/** Held until it is released, its holder ends, or the store hears nothing of it for some seconds. All but `isHeld` @throws once it is lost. */
export interface Leadership {
  isHeld(): boolean;
  /** Changes the folder, everything at once; returns the new revision. */
  write(changed: readonly ChangedFile[], removed: readonly string[], now: number): Promise<number>;
  /** The oldest task that nobody took yet: it is taken with this. */
  nextTask(): Promise<SharedTask | undefined>;
  answer(id: number, text: string): Promise<void>;
  /** Forgets folders and answered tasks that nobody changed since then. */
  forgetBefore(time: number): Promise<void>;
  /** While this runs, silence of up to two minutes is forgiven: the work may keep its thread from everything else. */
  patiently<T>(work: () => Promise<T>): Promise<T>;
  release(): Promise<void>;
}
