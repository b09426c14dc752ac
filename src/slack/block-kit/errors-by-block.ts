/** Returns faults by the block of their field, as Slack shows them beside it. Ignored when a field has no block. */
export function errorsByBlock(
  faults: Readonly<Record<string, string | undefined>>,
  blocks: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(blocks).flatMap(([field, block]) => {
      const fault = faults[field];
      return fault === undefined ? [] : [[block, fault]];
    }),
  );
}
