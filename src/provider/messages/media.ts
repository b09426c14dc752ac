import { z } from 'zod';

/** File formats that the chat application accepts (API §4.1). */
export const mediaFormats: readonly string[] = ['jpg', 'jpeg', 'png', 'mp3', 'ogg', 'amr', 'pdf', 'mp4'];

/** A file for the chat application (API §4.1). A URL without an extension is accepted: its format is not known. */
export const media = z.object({
  url: z.url({ protocol: /^https?$/, error: 'must be an http or https address', abort: true }).refine(
    (url) => {
      const extension = /\.(\w+)$/.exec(new URL(url).pathname)?.[1];
      return extension === undefined || mediaFormats.includes(extension.toLowerCase());
    },
    `must lead to a file of one of the formats ${mediaFormats.join(', ')}`,
  ),
  caption: z.string('must be text').optional(),
});
