import type { AppContext } from '../../middleware/app-context.ts';
import type { Router } from '../../middleware/router/router.ts';
import { createFormerForms } from './form/former-forms.ts';
import { createKeptCampaignForms } from './form/kept-campaign-forms.ts';
import { registerCampaignForm } from './form/listeners.ts';
import { registerPreviews } from './preview/listeners.ts';
import { createPreviews } from './preview/preview.ts';
import { registerCampaignStatus } from './status/listeners.ts';

/** Messages to many recipients: form, import, preview, progress, result. */
export function registerCampaigns(router: Router, context: AppContext): void {
  const forms = createKeptCampaignForms(context.services.keptForms);
  const previews = createPreviews({ services: context.services, forms, clock: context.time.now });
  const formerForms = createFormerForms(context, forms);
  registerCampaignForm(router, context, { forms, previews, formerForms });
  registerPreviews(router, context, { forms, previews });
  registerCampaignStatus(router, context, { previews, formerForms });
}
