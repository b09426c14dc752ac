/** Finds what went to a number, which lies there as a keyed hash alone. */
export interface NumberIndex {
  /**
   * The latest first, up to `limit` of each. An operation is found if its intent named the number, a campaign by the
   * chunk that holds it. Nothing older than the retention time is found.
   *
   * @param number E.164: `+2348031234567`
   */
  find(
    workspaceId: string,
    number: string,
    query: { limit: number },
  ): Promise<{ operationIds: string[]; campaigns: { id: string; chunk: number }[] }>;
}
