/** The actions that lead from one view of eSIMs to another; those within a view are beside it. */
export const esimActions = {
  openList: 'esim_list_open',
  openCountries: 'esim_countries_open',
  create: 'esim_create',
  topUp: 'esim_top_up',
  /** Shows the status of an eSIM over the view, or in place of it. */
  status: 'esim_status',
  statusHere: 'esim_status_here',
  qrImage: 'esim_qr_image',
  qrInChannel: 'esim_qr_in_channel',
  installation: 'esim_installation',
  topUpThis: 'esim_top_up_this',
} as const;
