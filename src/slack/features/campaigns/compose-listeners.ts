import { inTime } from '../../../lib/timeout.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import type { ActionCall, Listening } from '../../middleware/calls.ts';
import type { Tools } from '../../middleware/context.ts';
import { Refusal, troubleView } from '../../middleware/errors.ts';
import { above, here } from '../../middleware/show.ts';
import { openBulkAction } from '../../navigation/campaigns.ts';
import {
  besideFields,
  bulkView,
  formActions,
  formCallback,
  formMetadata,
  readBulkForm,
  readingView,
} from './form-view.ts';
import type { KeptForms } from './kept-forms.ts';
import { createOpenForm } from './open-form.ts';
import type { Previews } from './preview.ts';
import { previewActions, previewMetadata } from './preview-view.ts';
import { createReading } from './reading.ts';
import { readStartForm } from './start-inputs.ts';

/** In milliseconds: a reading that takes no longer shows its preview at once, and with what was filled in there. */
const patience = 1_500;

/** The form of a campaign, up to its preview. */
export function listenToComposing(
  listening: Listening,
  tools: Tools,
  { forms, previews }: { forms: KeptForms; previews: Previews },
): void {
  const { phonebooks } = tools.services;
  const openForm = createOpenForm(tools);
  const { begin, viewOf } = createReading(tools, { forms, previews });

  listening.action(openBulkAction, async (call) => {
    const { asker, requestId, value } = call;
    const phonebookId = value === '' ? undefined : value;
    await above(call)(await openForm(asker, { requestId, phonebookId }));
  });

  for (const actionId of Object.values(formActions)) {
    listening.action(actionId, async ({ asker, view }) => {
      if (view !== undefined) {
        const metadata = formMetadata.parse(view.metadata);
        const form = readBulkForm(view.filledIn());
        if (form.source !== 'file' && form.file !== undefined) {
          // Slack's field for a file comes back empty: the form says that it is at hand.
          forms.keep(asker, metadata.id, { form, ...forms.get(asker, metadata.id), dropped: form.file });
          metadata.earlier = form.file.name;
        }
        const named = await phonebooks.list(asker.workspaceId);
        await view.replace(bulkView(form, metadata, named));
      }
    });
  }

  listening.submission(formCallback, async ({ asker, values, metadata, soon }) => {
    const { id, origin, earlier } = formMetadata.parse(metadata);
    const typed = readBulkForm(values);
    const kept = earlier === undefined ? undefined : forms.get(asker, id);
    const form = { ...typed, file: typed.file ?? kept?.dropped ?? kept?.form.file };
    const { reading, follow } = begin(asker, id, form);
    const early = await soon(reading);
    if (early?.kind === 'faults') {
      return { errors: besideFields(early.faults, form) };
    }
    return early === undefined
      ? {
          view: readingView(0),
          afterwards: async (show) => {
            await follow(show, origin);
            return undefined;
          },
        }
      : { view: viewOf(asker, id, early, origin) };
  });

  /** Of a preview whose form is forgotten, what is left can be started as it is. */
  async function forgotten({ asker, view, push }: ActionCall): Promise<void> {
    const gone = 'Switchboard was restarted meanwhile, and the form is gone. Nothing was sent.';
    if (view?.metadata === undefined) {
      throw new Refusal(mrkdwn`${gone} Begin again.`);
    }
    const metadata = previewMetadata.parse(view.metadata);
    await view.replace(await previews.again(asker, metadata, readStartForm(view.values, metadata.origin)));
    await push(troubleView(mrkdwn`${gone} Start what the preview shows, or begin again.`));
  }

  listening.action(previewActions.column, async (call) => {
    const { asker, value, view } = call;
    const { id, origin } = previewMetadata.parse(view?.metadata);
    const kept = forms.get(asker, id);
    if (view === undefined || kept === undefined) {
      return forgotten(call);
    }
    await view.replace(readingView(0));
    const { reading, follow } = begin(asker, id, kept.form, Number(value));
    const early = await inTime(reading, patience, () => undefined);
    if (early?.kind === 'ready') {
      const form = readStartForm(view.values, origin);
      await view.replace(previews.show(asker, early.preview, origin, form));
      return;
    }
    await follow(view.replace, origin);
  });

  listening.action(previewActions.edit, async (call) => {
    const { asker, value: id, view } = call;
    const kept = forms.get(asker, id);
    if (kept === undefined) {
      return forgotten(call);
    }
    const origin = view?.metadata === undefined ? undefined : previewMetadata.parse(view.metadata).origin;
    const { file } = kept.form;
    forms.keep(asker, id, { ...kept, dropped: undefined });
    const metadata = {
      id,
      ...(origin === undefined ? {} : { origin }),
      ...(file === undefined ? {} : { earlier: file.name }),
    };
    const named = await phonebooks.list(asker.workspaceId);
    await here(call)(bulkView(kept.form, metadata, named));
  });
}
