/** A number that no campaign goes to. */
export interface SuppressionEntry {
  /** E.164: `+2348031234567`. Encrypted at rest. */
  number: string;
  /** Who added it: a Slack user id. */
  createdBy: string;
  createdAt: Date;
  /** For `after` of the next page. Opaque. */
  cursor: string;
}

/** Each workspace's list of numbers that no campaign goes to. Numbers are in E.164. */
export interface SuppressionList {
  /**
   * Gives how many were not on the list. They are taken out of campaigns too, as far as these have not sent to them yet.
   */
  add(workspaceId: string, numbers: readonly string[], userId: string): Promise<number>;
  /** Gives how many were on the list. */
  remove(workspaceId: string, numbers: readonly string[]): Promise<number>;
  /** Those of these numbers that are on the list, in the same order. */
  among<Number extends string>(workspaceId: string, numbers: readonly Number[]): Promise<Number[]>;
  count(workspaceId: string): Promise<number>;
  /** The latest added first; `after` is the cursor of the last one seen. */
  list(query: {
    workspaceId: string;
    limit: number;
    after?: string | undefined;
  }): Promise<SuppressionEntry[]>;
}
