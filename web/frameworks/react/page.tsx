import { useRef, useState, type ReactElement } from "react";
import type { IfmLab } from "ifm-lab/react";
import "ifm-lab/react";

export function Page({ lab }: { readonly lab: string }): ReactElement {
  const [d, setD] = useState(12);
  const [sentence, setSentence] = useState("");
  const element = useRef<IfmLab>(null);
  return (
    <>
      <button onClick={() => setD(16)}>More</button>
      <button onClick={() => element.current?.restart(7)}>Again</button>
      <output>{sentence}</output>
      <ifm-lab ref={element} src={lab} d={d} n="100" models={["fm", "gfm"]} hide={["matrices"]} iterations={20} speed="instant" className="lab" {...{ "psd.d": 8 }} onifm-verdict={(event) => setSentence(`${event.detail.run}: ${event.detail.sentence}`)} />
    </>
  );
}
