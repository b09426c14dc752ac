/** The most recipients of one request (API §4.1, §4.3). */
export const maxRecipientsPerRequest = 100;

/** Returns the most recipients of one chunk of a campaign. A chunk is one request, and so has one text. */
export function chunkSize({ personal }: { personal: boolean }): number {
  return personal ? 1 : maxRecipientsPerRequest;
}
