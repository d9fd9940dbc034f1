import { html, nothing, type TemplateResult } from "lit";
import { parse } from "../../state/spec.js";
import { isFrame, writeLink } from "../../state/view.js";
import { short } from "../../text/strings.js";
import { cycle } from "../chapter/cycle.js";
import { middleHalf } from "../chapter/measure.js";
import { ends, layRuns, measures, value, type Laid, type Place } from "./lay.js";
import { SweptPanel, type Measure, type Showing } from "./panel.js";
import { named, said, swept as strings } from "./strings.js";
import type { Run } from "./sweep.js";

/** The runs of a sweep. */
class Swept extends SweptPanel<Run> {
  protected readonly place = "swept";

  protected lay(): Laid<Run> {
    return layRuns(this.sweep);
  }

  protected showing(): Showing<Run> {
    const { runs, absences, version, name } = this.sweep;
    return {
      measures: measuresOf(runs),
      heading: name,
      from: strings.from(runs.length, version),
      elsewhere: absences.length === 0 ? nothing : html`${strings.mixed(absences.length)} <a href="?chapter=vtec">${strings.toSky}</a>`,
      setting: said,
      axis: named,
      across: strings.across,
      look: (row, i) => {
        const model = row.find(({ key }) => key === "model")?.value ?? runs[0]?.model ?? "ifm";
        return { colour: model in short ? model : "ifm", ...cycle(i) };
      },
      inner: (place, called, text) => this.link(place, called, text),
    };
  }

  /** A link to a run here, but of a table, whose rows are not here. */
  private link({ query }: Place<Run>, called: string, text: string): TemplateResult | string {
    const wanted = parse(query).spec;
    if (wanted.source === "table") return text;
    const open = (event: MouseEvent): void => {
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || isFrame(this.view)) return;
      event.preventDefault();
      this.tell("ifm-open", wanted);
    };
    return html`<a href="${location.pathname}${writeLink(wanted, { ...this.view, sample: "none", chapter: "none", embed: "0" })}#figure" target=${isFrame(this.view) ? "_blank" : nothing} aria-label=${strings.open(called, text)} @click=${open}>${text}</a>`;
  }
}

/** Drawn truths can be found, tables have none. */
function measuresOf(runs: readonly Run[]): Measure<Run>[] {
  const isDrawn = runs.some(({ m }) => Number.isFinite(m));
  const has = { found: isDrawn, m: isDrawn, test: true, refused: runs.some(({ refused }) => refused !== "") };
  const diverged = runs.some((run) => run.refused === "" && !Number.isFinite(run.test));
  return measures.filter((key) => has[key]).map((key): Measure<Run> => {
    const [name, caption] = [strings.measures[key], strings.caption[key]];
    const all = { key, name, value: (some: readonly Run[]) => value(some, key) };
    if (key === "found" || key === "refused") return { ...all, caption, isShare: true, says: (v, some) => strings.of(Math.round(v * some.length), some.length) };
    return { ...all, caption: diverged ? strings.diverged(caption) : caption, isShare: false, says: strings.value, spread: (some) => middleHalf(ends(some, key)) };
  });
}

customElements.define("ifm-swept", Swept);
