import type { AppContext } from '../../middleware/app-context.ts';
import type { Router } from '../../middleware/router/router.ts';
import { registerCampaignForm } from './form/listeners.ts';
import { registerPreviews } from './preview/listeners.ts';
import { registerCampaignStatus } from './status/listeners.ts';

/** Messages to many recipients: form, import, preview, progress, result. */
export function registerCampaigns(router: Router, context: AppContext): void {
  registerCampaignForm(router, context);
  registerPreviews(router, context);
  registerCampaignStatus(router, context);
}
