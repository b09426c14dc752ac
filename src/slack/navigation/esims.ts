/** The actions of eSIMs that lead from one view to another; those within a view are beside it. */
export const esimActions = {
  openPlans: 'esim_plans_open',
  openList: 'esim_list_open',
  openCountries: 'esim_countries_open',
  create: 'esim_create',
  topUp: 'esim_top_up',
  /** Shows the status of an eSIM over the view, or in place of it. */
  status: 'esim_status',
  statusHere: 'esim_status_here',
  openStatus: 'esim_status_open',
  qrImage: 'esim_qr_image',
  qrInChannel: 'esim_qr_in_channel',
  installation: 'esim_installation',
  topUpThis: 'esim_top_up_this',
} as const;
