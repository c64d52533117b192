import eu.europa.esig.dss.enumerations.DigestAlgorithm;
import eu.europa.esig.dss.enumerations.EncryptionAlgorithm;
import eu.europa.esig.dss.enumerations.SignatureLevel;
import eu.europa.esig.dss.enumerations.SignaturePackaging;
import eu.europa.esig.dss.model.DSSDocument;
import eu.europa.esig.dss.model.InMemoryDocument;
import eu.europa.esig.dss.model.SignatureValue;
import eu.europa.esig.dss.model.x509.CertificateToken;
import eu.europa.esig.dss.spi.validation.CommonCertificateVerifier;
import eu.europa.esig.dss.spi.x509.CommonTrustedCertificateSource;
import eu.europa.esig.dss.spi.x509.tsp.KeyEntityTSPSource;
import eu.europa.esig.dss.token.KSPrivateKeyEntry;
import eu.europa.esig.dss.xades.XAdESSignatureParameters;
import eu.europa.esig.dss.xades.reference.CanonicalizationTransform;
import eu.europa.esig.dss.xades.reference.DSSReference;
import eu.europa.esig.dss.xades.reference.DSSTransform;
import eu.europa.esig.dss.xades.reference.EnvelopedSignatureTransform;
import eu.europa.esig.dss.xades.reference.XPath2FilterEnvelopedSignatureTransform;
import eu.europa.esig.dss.xades.reference.XPath2FilterTransform;
import eu.europa.esig.dss.xades.reference.XPathEnvelopedSignatureTransform;
import eu.europa.esig.dss.xades.signature.XAdESService;
import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * Signs FOLDER/request.xml in every way that clients of the European library sign, one file a way: FOLDER/out/WAY.xml.
 * Keys and certificates are DER, FOLDER/rsa.key and rsa.crt, p256.key and so on.
 * The second argument is the signing time.
 */
public class Sign {
    static final String C14N = "http://www.w3.org/TR/2001/REC-xml-c14n-20010315";
    static final String C14N11 = "http://www.w3.org/2006/12/xml-c14n11";
    static final String EXCLUSIVE = "http://www.w3.org/2001/10/xml-exc-c14n#";

    record Way(String key, Consumer<XAdESSignatureParameters> change) {}

    static final Map<String, Way> ways = new LinkedHashMap<>();
    static DSSDocument request;

    static void way(String name, String key, Consumer<XAdESSignatureParameters> change) {
        ways.put(name, new Way(key, change));
    }

    static void transforms(XAdESSignatureParameters parameters, DSSTransform... transforms) {
        DSSReference reference = new DSSReference();
        reference.setUri("");
        reference.setContents(request);
        reference.setDigestMethodAlgorithm(DigestAlgorithm.SHA256);
        reference.setTransforms(List.of(transforms));
        parameters.setReferences(List.of(reference));
    }

    static void canonicalization(XAdESSignatureParameters parameters, String method) {
        parameters.setSignedInfoCanonicalizationMethod(method);
        parameters.setSignedPropertiesCanonicalizationMethod(method);
        transforms(parameters, new EnvelopedSignatureTransform(), new CanonicalizationTransform(method));
    }

    static void describe() {
        way("default", "rsa", p -> {});
        way("default-p256", "p256", p -> {});
        way("sha384-p384", "p384", p -> p.setDigestAlgorithm(DigestAlgorithm.SHA384));
        way("sha384", "rsa", p -> p.setDigestAlgorithm(DigestAlgorithm.SHA384));
        way("sha512", "rsa", p -> p.setDigestAlgorithm(DigestAlgorithm.SHA512));
        way("sha512-p256", "p256", p -> p.setDigestAlgorithm(DigestAlgorithm.SHA512));
        way("sha3-256-p256", "p256", p -> p.setDigestAlgorithm(DigestAlgorithm.SHA3_256));
        for (DigestAlgorithm digest : List.of(DigestAlgorithm.SHA256, DigestAlgorithm.SHA384, DigestAlgorithm.SHA512))
            way("pss-" + digest.name().toLowerCase(), "rsa", p -> {
                p.setDigestAlgorithm(digest);
                p.setEncryptionAlgorithm(EncryptionAlgorithm.RSASSA_PSS);
            });
        way("old-certificate-property", "rsa", p -> p.setEn319132(false));
        way("signed-key-info", "rsa", p -> p.setSignKeyInfo(true));
        way("other-prefixes", "rsa", p -> {
            p.setXmldsigNamespace(new eu.europa.esig.dss.xml.common.definition.DSSNamespace("http://www.w3.org/2000/09/xmldsig#", "sig"));
        });
        way("pretty", "rsa", p -> p.setPrettyPrint(true));
        way("filter2", "rsa", p -> transforms(p, new XPath2FilterEnvelopedSignatureTransform(), new CanonicalizationTransform(EXCLUSIVE)));
        way("filter2-double-slash", "rsa", p -> transforms(p, new XPath2FilterTransform("//ds:Signature", "subtract"), new CanonicalizationTransform(EXCLUSIVE)));
        way("filter2-alone", "rsa", p -> transforms(p, new XPath2FilterEnvelopedSignatureTransform()));
        way("filter2-inclusive", "rsa", p -> transforms(p, new XPath2FilterEnvelopedSignatureTransform(), new CanonicalizationTransform(C14N)));
        way("enveloped-and-filter2", "rsa", p -> transforms(p, new EnvelopedSignatureTransform(), new XPath2FilterEnvelopedSignatureTransform(), new CanonicalizationTransform(EXCLUSIVE)));
        way("xpath", "rsa", p -> transforms(p, new XPathEnvelopedSignatureTransform(), new CanonicalizationTransform(EXCLUSIVE)));
        way("enveloped-and-xpath", "rsa", p -> transforms(p, new EnvelopedSignatureTransform(), new XPathEnvelopedSignatureTransform(), new CanonicalizationTransform(EXCLUSIVE)));
        way("exclusive-comments", "rsa", p -> canonicalization(p, EXCLUSIVE + "WithComments"));
        way("inclusive", "rsa", p -> canonicalization(p, C14N));
        way("inclusive-comments", "rsa", p -> canonicalization(p, C14N + "#WithComments"));
        way("inclusive11", "rsa", p -> canonicalization(p, C14N11));
        way("inclusive11-comments", "rsa", p -> canonicalization(p, C14N11 + "#WithComments"));
        way("two-references", "rsa", p -> {
            transforms(p, new XPath2FilterEnvelopedSignatureTransform(), new CanonicalizationTransform(EXCLUSIVE));
            DSSReference second = new DSSReference();
            second.setId("second");
            second.setUri("");
            second.setContents(request);
            second.setDigestMethodAlgorithm(DigestAlgorithm.SHA512);
            second.setTransforms(List.of(new EnvelopedSignatureTransform(), new CanonicalizationTransform(C14N)));
            p.setReferences(List.of(p.getReferences().get(0), second));
        });
        way("enveloping-base64", "rsa", p -> p.setSignaturePackaging(SignaturePackaging.ENVELOPING));
        way("enveloping-xml", "p256", p -> {
            p.setSignaturePackaging(SignaturePackaging.ENVELOPING);
            p.setEmbedXML(true);
        });
        for (SignaturePackaging packaging : List.of(SignaturePackaging.ENVELOPED, SignaturePackaging.ENVELOPING))
            for (SignatureLevel level : List.of(SignatureLevel.XAdES_BASELINE_T, SignatureLevel.XAdES_BASELINE_LT, SignatureLevel.XAdES_BASELINE_LTA))
                way(packaging.name().toLowerCase() + "-" + level.name().replace("XAdES_BASELINE_", "").toLowerCase(), "rsa", p -> {
                    p.setSignatureLevel(level);
                    p.setSignaturePackaging(packaging);
                });
    }

    static CertificateToken certificate(Path folder, String name) throws Exception {
        byte[] der = Files.readAllBytes(folder.resolve(name + ".crt"));
        return new CertificateToken((X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(der)));
    }

    static PrivateKey key(Path folder, String name) throws Exception {
        byte[] der = Files.readAllBytes(folder.resolve(name + ".key"));
        return KeyFactory.getInstance(name.startsWith("p") ? "EC" : "RSA").generatePrivate(new PKCS8EncodedKeySpec(der));
    }

    /** A timestamp authority of its own: no network. */
    static KeyEntityTSPSource stampAuthority(CommonTrustedCertificateSource trusted) throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2048);
        KeyPair pair = generator.generateKeyPair();
        X500Name name = new X500Name("CN=Timestamps,C=PL");
        long now = System.currentTimeMillis();
        X509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(name, BigInteger.ONE, new Date(now - 40L * 365 * 86_400_000), new Date(now + 40L * 365 * 86_400_000), name, pair.getPublic());
        builder.addExtension(Extension.extendedKeyUsage, true, new ExtendedKeyUsage(KeyPurposeId.id_kp_timeStamping));
        X509Certificate made = new JcaX509CertificateConverter().getCertificate(builder.build(new JcaContentSignerBuilder("SHA256withRSA").build(pair.getPrivate())));
        trusted.addCertificate(new CertificateToken(made));
        KeyEntityTSPSource source = new KeyEntityTSPSource(pair.getPrivate(), made, List.of(made));
        source.setTsaPolicy("1.2.3.4");
        return source;
    }

    public static void main(String[] args) throws Exception {
        Path folder = Path.of(args[0]);
        Date signedAt = Date.from(Instant.parse(args[1]));
        request = new InMemoryDocument(Files.readAllBytes(folder.resolve("request.xml")), "request.xml");
        Files.createDirectories(folder.resolve("out"));
        describe();
        CommonTrustedCertificateSource trusted = new CommonTrustedCertificateSource();
        for (String name : List.of("rsa", "p256", "p384")) trusted.addCertificate(certificate(folder, name));
        CommonCertificateVerifier verifier = new CommonCertificateVerifier();
        verifier.setTrustedCertSources(trusted);
        verifier.setAugmentationAlertOnSelfSignedCertificateChains(new eu.europa.esig.dss.alert.SilentOnStatusAlert());
        XAdESService service = new XAdESService(verifier);
        service.setTspSource(stampAuthority(trusted));
        boolean failed = false;
        for (Map.Entry<String, Way> entry : ways.entrySet()) {
            try {
                CertificateToken signer = certificate(folder, entry.getValue().key());
                XAdESSignatureParameters parameters = new XAdESSignatureParameters();
                parameters.setSignatureLevel(SignatureLevel.XAdES_BASELINE_B);
                parameters.setSignaturePackaging(SignaturePackaging.ENVELOPED);
                parameters.setDigestAlgorithm(DigestAlgorithm.SHA256);
                parameters.setSigningCertificate(signer);
                parameters.setCertificateChain(signer, certificate(folder, entry.getValue().key().equals("rsa") ? "p256" : "rsa"));
                parameters.bLevel().setSigningDate(signedAt);
                // Else a certificate that is trusted by itself is left out.
                parameters.bLevel().setTrustAnchorBPPolicy(false);
                entry.getValue().change().accept(parameters);
                byte[] signed = service.getDataToSign(request, parameters).getBytes();
                Signature signature = Signature.getInstance(parameters.getSignatureAlgorithm().getJCEId());
                if (parameters.getEncryptionAlgorithm() == EncryptionAlgorithm.RSASSA_PSS) {
                    String hash = parameters.getDigestAlgorithm().getJavaName();
                    signature = Signature.getInstance("RSASSA-PSS");
                    signature.setParameter(new java.security.spec.PSSParameterSpec(hash, "MGF1", new java.security.spec.MGF1ParameterSpec(hash), parameters.getDigestAlgorithm().getSaltLength(), 1));
                }
                signature.initSign(key(folder, entry.getValue().key()));
                signature.update(signed);
                SignatureValue value = new SignatureValue(parameters.getSignatureAlgorithm(), signature.sign());
                service.signDocument(request, parameters, value).save(folder.resolve("out").resolve(entry.getKey() + ".xml").toString());
            } catch (Exception error) {
                System.err.println(entry.getKey() + ": " + error);
                failed = true;
            }
        }
        if (failed) System.exit(1);
    }
}
