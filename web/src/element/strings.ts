// The texts of <ifm-lab>, in a page of another site. They are not in the page's
// strings.ts, most of which would come along: more than all the rest of it.
export const strings = {
  title: "iFM Lab: factorization machines learn while you watch",
  open: "Open the lab in a tab of its own",
  unknown: (name: string, meant: string | undefined) => `${name} is no setting of the lab and was ignored${meant === undefined ? "" : `; did you mean ${meant}?`}`,
  late: (name: string) => `${name} came too late and changes nothing: the frame was there already. Set it before the element is in the page.`,
  homeless: "The lab cannot be shown: nothing says where it is. Give the address of a lab, as in <ifm-lab src=\"https://YOUR.HOST/\">, or once for all elements: IfmLab.home = \"https://YOUR.HOST/\".",
  address: (src: string) => `The lab cannot be shown: “${src}” is no address of one. Give one that begins with https:.`,
  forbidden: (origin: string) => `The lab cannot be shown here: the Content-Security-Policy of this page allows no frame from ${origin}. Add it: frame-src ${origin}`,
  silent: (origin: string) => `The lab at ${origin} has not answered. It may be out of reach, or not what lies there.`,
};
