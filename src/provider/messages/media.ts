import { z } from 'zod';

const formats = ['jpg', 'jpeg', 'png', 'mp3', 'ogg', 'amr', 'pdf', 'mp4'];

/** A file for the chat application (API §4.1). An address without an ending says nothing of the file's format. */
export const media = z.object({
  url: z.url({ protocol: /^https?$/, error: 'must be an http or https address', abort: true }).refine(
    (url) => {
      const ending = /\.(\w+)$/.exec(new URL(url).pathname)?.[1];
      return ending === undefined || formats.includes(ending.toLowerCase());
    },
    `must lead to a file of one of the formats ${formats.join(', ')}`,
  ),
  caption: z.string('must be text').optional(),
});
