/** Characters that shorten a page to 70 characters: the listed ones and those outside GSM 03.38. */
const listed = /[;'"`^{}\\[\]~|€]|\/\//;
const gsm = /^[\n\r !"#$%&'()*+,\-./0-9:;<=>?@A-Z_a-z£¥èéùìòÇØøÅåΔΦΓΛΩΠΨΣΘΞÆæßÉ¤¡ÄÖÑÜ§¿äöñüà^{}\\[~\]|€\f]*$/;

/** Returns the pages that the provider bills for a text (API §1). A character is a UTF-16 code unit. */
export function pagesOf(text: string): number {
  const perPage = listed.test(text) || !gsm.test(text) ? 70 : 160;
  return Math.max(1, Math.ceil(text.length / perPage));
}
