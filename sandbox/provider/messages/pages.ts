/** Characters that make a page 70 characters long: the listed ones, and all that GSM 03.38 cannot write. */
const listed = /[;'"`^{}\\[\]~|€]|\/\//;
const gsm = /^[\n\r !"#$%&'()*+,\-./0-9:;<=>?@A-Z_a-z£¥èéùìòÇØøÅåΔΦΓΛΩΠΨΣΘΞÆæßÉ¤¡ÄÖÑÜ§¿äöñüà^{}\\[~\]|€\f]*$/;

/** How many pages the provider bills for a text (API §1). A character is a UTF-16 unit, as on the air. */
export function pagesOf(text: string): number {
  const perPage = listed.test(text) || !gsm.test(text) ? 70 : 160;
  return Math.max(1, Math.ceil(text.length / perPage));
}
