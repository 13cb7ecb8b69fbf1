import java.io.FileInputStream;
import org.verapdf.gf.foundry.VeraGreenfieldFoundryProvider;
import org.verapdf.pdfa.Foundries;
import org.verapdf.pdfa.flavours.PDFAFlavour;
import org.verapdf.pdfa.results.TestAssertion;

/** Prints what each PDF file breaks of PDF/UA-1: a line with `== ` and the path, then a line for each clause. */
public class CheckPdf {
    public static void main(String[] paths) throws Exception {
        VeraGreenfieldFoundryProvider.initialise();
        var foundry = Foundries.defaultInstance();
        var flavour = PDFAFlavour.fromString("ua1");
        for (String path : paths) {
            System.out.println("== " + path);
            try (var parser = foundry.createParser(new FileInputStream(path), flavour)) {
                foundry.createValidator(flavour, false).validate(parser).getTestAssertions().stream()
                    .filter(found -> found.getStatus() == TestAssertion.Status.FAILED)
                    .map(found -> found.getRuleId().getClause() + " " + found.getMessage().replace('\n', ' '))
                    .distinct()
                    .forEach(System.out::println);
            }
        }
    }
}
