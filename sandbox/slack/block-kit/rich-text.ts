/** The elements of a `rich_text` block. */

import { boolean, integer, list, object, oneOfTypes, type Shape, string, url } from './rules.ts';

const style = object({
  may: { bold: boolean, italic: boolean, strike: boolean, code: boolean, underline: boolean },
});
const id = string({ min: 1 });

const textAndLink: { text: Shape; link: Shape } = {
  text: { needs: { text: string({ min: 1 }) }, may: { style } },
  link: { needs: { url }, may: { text: string(), style, unsafe: boolean } },
};

const inline: Record<string, Shape> = {
  ...textAndLink,
  broadcast: { needs: { range: string({ oneOf: ['here', 'channel', 'everyone'] }) }, may: { style } },
  channel: { needs: { channel_id: id }, may: { style } },
  color: { needs: { value: string() }, may: { style } },
  date: {
    needs: { timestamp: integer(), format: string({ min: 1 }) },
    may: { url, fallback: string(), style },
  },
  emoji: {
    needs: { name: string({ min: 1 }) },
    may: { unicode: string(), url, skin_tone: integer(), style },
  },
  team: { needs: { team_id: id }, may: { style } },
  user: { needs: { user_id: id }, may: { style } },
  usergroup: { needs: { usergroup_id: id }, may: { style } },
};

const border = integer({ min: 0, max: 1 });
const section: Shape = { needs: { elements: list(oneOfTypes(inline)) } };

export const richText: Shape = {
  needs: {
    elements: list(
      oneOfTypes({
        rich_text_section: section,
        rich_text_list: {
          needs: {
            elements: list(oneOfTypes({ rich_text_section: section })),
            style: string({ oneOf: ['bullet', 'ordered'] }),
          },
          may: { indent: integer({ min: 0, max: 8 }), offset: integer({ min: 0 }), border },
        },
        rich_text_quote: { needs: { elements: list(oneOfTypes(inline)) }, may: { border } },
        rich_text_preformatted: { needs: { elements: list(oneOfTypes(textAndLink)) }, may: { border } },
      }),
    ),
  },
};
