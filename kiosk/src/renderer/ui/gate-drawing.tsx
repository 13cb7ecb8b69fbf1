/** A car that drives through an open gate. */
export function GateDrawing() {
  return (
    <svg
      className="gate-drawing"
      viewBox="0 0 800 360"
      preserveAspectRatio="xMidYMax meet"
      aria-hidden="true"
    >
      <circle className="sun" cx="150" cy="52" r="34" />
      <path
        className="hill far"
        d="M-800 250 L-690 170 L-560 235 L-430 120 L-270 225 L-130 165 L0 250 L120 150 L200 205 L330 95 L470 215 L560 160 L690 240 L800 190 L930 245 L1090 130 L1240 230 L1400 160 L1600 250 V300 H-800z"
      />
      <path className="snow" d="M330 95l-46 39 24 2 18-12 17 17 22-10z" />
      <path
        className="hill near"
        d="M-800 268 C-560 232 -260 300 0 285 C150 225 300 265 430 262 S690 235 800 268 C1060 300 1340 235 1600 270 V320 H-800z"
      />
      <rect className="road" x="-800" y="298" width="2400" height="62" />
      <path className="road-line" d="M-730 330H1600" />
      <g className="car">
        <path
          className="body"
          d="M152 296v-34c0-12 8-19 20-21l34-6 38-38c7-7 15-10 25-10h78c11 0 20 4 28 11l36 34 40 8c14 3 22 12 22 26v30z"
        />
        <path className="glass" d="M226 234l28-28c4-4 9-6 15-6h31v34zM314 200h32c7 0 13 2 18 7l29 27h-79z" />
        <rect className="lamp" x="452" y="252" width="20" height="12" rx="5" />
        <circle className="wheel" cx="222" cy="298" r="30" />
        <circle className="hub" cx="222" cy="298" r="13" />
        <circle className="wheel" cx="402" cy="298" r="30" />
        <circle className="hub" cx="402" cy="298" r="13" />
      </g>
      <g className="barrier">
        <rect className="cabinet" x="560" y="192" width="46" height="116" rx="8" />
        <rect className="cabinet-lamp" x="574" y="206" width="18" height="10" rx="5" />
        <g className="arm">
          <rect className="arm-white" x="572" y="222" width="250" height="16" rx="8" />
          <path className="arm-red" d="M612 222h36v16h-36zM692 222h36v16h-36zM772 222h36v16h-36z" />
        </g>
        <circle className="hinge" cx="584" cy="230" r="11" />
      </g>
    </svg>
  );
}
