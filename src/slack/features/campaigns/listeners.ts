import type { AppContext } from '../../middleware/app-context.ts';
import type { Router } from '../../middleware/router/router.ts';
import { registerCampaignForm } from './compose-listeners.ts';
import { createFormCache } from './form-cache.ts';
import { createPreviews } from './preview.ts';
import { registerPreviews } from './preview-listeners.ts';
import { registerCampaignSteering } from './steering-listeners.ts';

/** Messages to many, from the form to the summary. */
export function registerCampaigns(router: Router, context: AppContext): void {
  const forms = createFormCache();
  const previews = createPreviews({ campaigns: context.services.campaigns, forms, clock: context.clock });
  registerCampaignForm(router, context, { forms, previews });
  registerPreviews(router, context, { forms, previews });
  registerCampaignSteering(router, context, previews);
}
