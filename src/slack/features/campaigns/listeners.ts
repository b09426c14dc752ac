import type { Listening } from '../../middleware/calls.ts';
import type { Tools } from '../../middleware/context.ts';
import { listenToComposing } from './compose-listeners.ts';
import { keepForms } from './kept-forms.ts';
import { createPreviews } from './preview.ts';
import { listenToPreviews } from './preview-listeners.ts';
import { listenToCampaignsRunning } from './running-listeners.ts';

/** Messages to many, from the form to the summary. */
export function listenToCampaigns(listening: Listening, tools: Tools): void {
  const forms = keepForms();
  const previews = createPreviews({ campaigns: tools.services.campaigns, forms, clock: tools.clock });
  listenToComposing(listening, tools, { forms, previews });
  listenToPreviews(listening, tools, { forms, previews });
  listenToCampaignsRunning(listening, tools, previews);
}
