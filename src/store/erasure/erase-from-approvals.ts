import { z } from 'zod';
import { encryptedColumn } from '../schema/schema.ts';
import { eraseFromText } from './erased-person.ts';
import { type ErasureContext, eraseFromColumn } from './erasure-context.ts';

/** What people wrote, in a request for a campaign. A purchase has nothing of theirs. */
const writtenSchema = z.looseObject({ name: z.string(), text: z.string() });

/** Removes the person's number from what was shown to approvers, and from why they rejected it. */
export async function eraseFromApprovals(context: ErasureContext): Promise<void> {
  const { person, counts } = context;
  counts.texts += await eraseFromColumn(context, encryptedColumn('approval', 'content'), (json) => {
    const { data: content } = writtenSchema.safeParse(JSON.parse(json));
    if (content === undefined || !person.mentions.areIn(`${content.name}\n${content.text}`)) {
      return json;
    }
    const { name, text } = content;
    return JSON.stringify({
      ...content,
      name: eraseFromText(name, person),
      text: eraseFromText(text, person),
    });
  });
  counts.texts += await eraseFromColumn(context, encryptedColumn('approval', 'reason'), (reason) =>
    eraseFromText(reason, person),
  );
}
