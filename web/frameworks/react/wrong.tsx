import "ifm-lab/react";

export const wrong = [
  <ifm-lab sceanrio="mixed" />,
  <ifm-lab scenario="blue" />,
  <ifm-lab d="many" />,
  <ifm-lab onifm-record={(event) => event.detail.sentence} />,
];
