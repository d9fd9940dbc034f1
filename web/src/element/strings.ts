// The texts of <ifm-lab>, in a page of another site. They are not in the page's
// strings.ts, most of which would come along: more than all the rest of it.
export const strings = {
  title: "iFM Lab: factorization machines learn while you watch",
  open: "Open the lab in a new tab",
  unknown: (name: string, meant: string | undefined) => `${name} is not a setting of the lab and was ignored.${meant === undefined ? "" : ` Did you mean ${meant}?`}`,
  late: (name: string) => `${name} was set too late and has no effect: the frame already exists. Set it before you add the element to the page.`,
  homeless: "The lab cannot be shown: its address is missing. Give it, as in <ifm-lab src=\"https://YOUR.HOST/\">, or once for all elements: IfmLab.home = \"https://YOUR.HOST/\".",
  address: (src: string) => `The lab cannot be shown: “${src}” is not an address of a lab. Give one that begins with https:.`,
  forbidden: (origin: string) => `The lab cannot be shown here: the Content-Security-Policy of this page forbids frames from ${origin}. Add frame-src ${origin}`,
  silent: (origin: string) => `The lab at ${origin} has not answered. The server may be down, or the address may be wrong.`,
};
